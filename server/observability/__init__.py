"""What an operator's machines watch this one by: figures, alerts, a dashboard, traces.

Owns:     the names, labels and units of all figures (`metrics.py`), what is drawn and warned of
          from them (`dashboard.json` for Grafana, `alerts.json` for Prometheus), and the spans of
          OpenTelemetry, if they are switched on (`traces.py`).
Promises: no figure, label or span holds a name, a card, a seed or a token; labels have few values,
          so that nobody can make the figures grow without end; what is not switched on costs
          nothing.
Imports:  prometheus-client; OpenTelemetry's SDK alone when traces are switched on; `errors`.
"""
