"""Documents from code: OpenAPI, AsyncAPI, the types of TypeScript, and the page that shows them.

Owns:     the models of what the server says on the socket, and everything made from models.
Promises: nothing is described that no model or declaration of a route says; the tests hold every
          frame and every answer that is really sent to these documents.
Imports:  the models and declarations of web; nothing here is asked when a move is made.
"""
