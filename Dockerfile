# klopt as a service. The index is a volume: replace the file, then docker kill -s HUP CONTAINER.
#   docker build -t klopt .
# A profile that reads a parse (afas) needs spaCy: docker build --build-arg EXTRAS=server,afas ...
#   docker run -p 8765:8765 -e KLOPT_TOKEN=... -v ./index:/index:ro klopt
ARG EXTRAS=server

FROM python:3.11-slim AS build
ARG EXTRAS
WORKDIR /src
COPY . .
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[$EXTRAS]"

FROM python:3.11-slim
ARG EXTRAS
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links=/wheels "klopt[$EXTRAS]" \
    && useradd --system --uid 10001 --no-create-home klopt
USER 10001
VOLUME /index
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8765/readyz', timeout=4)"]
ENTRYPOINT ["klopt", "serve", "--host", "0.0.0.0"]
CMD ["--index", "/index/help.klopt"]
