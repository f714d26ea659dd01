"""The schema's history, one revision for each floor's first tables; alembic runs it."""
