# One image, small, not root: `docker compose up --build` runs it with PostgreSQL and Redis.
FROM python:3.12-slim AS build
WORKDIR /src
COPY pyproject.toml README.md ./
COPY server server
COPY migrations migrations
RUN python -m venv /opt/pakka && /opt/pakka/bin/pip install --no-cache-dir .

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /var/lib/pakka --create-home pakka
COPY --from=build /opt/pakka /opt/pakka
ENV PATH=/opt/pakka/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PAKKA_HOME=/var/lib/pakka \
    PAKKA_HOST=0.0.0.0 \
    PAKKA_LOG_FORMAT=json
USER pakka
VOLUME /var/lib/pakka
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=2)"]
CMD ["pakka", "serve"]
