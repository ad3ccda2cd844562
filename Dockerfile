# The game room in a container: docs/operating.md.

FROM python:3.11-slim-bookworm AS build
WORKDIR /src
COPY . .
# The package with its pages, which it builds itself, and what several servers need besides. Pip stays outside.
RUN python -m venv --without-pip /opt/ludotheque && \
    pip --python /opt/ludotheque/bin/python install --no-cache-dir --constraint constraints.txt \
        ".[server]" "psycopg[binary]" redis && \
    find /opt/ludotheque -type d -name tests -prune -exec rm -rf {} +
# Rules and bots compiled ahead, for any processor of this architecture: the image runs elsewhere. With
# `--build-arg GAMES="loba skipbo"` only these; the others are then compiled in the background when the room opens.
ARG GAMES=""
ENV NUMBA_CPU_NAME=generic NUMBA_ENABLE_AVX=0 LUDOTHEQUE_CACHE=/opt/compiled
RUN /opt/ludotheque/bin/ludotheque warm ${GAMES}

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 7707 --user-group --home-dir /data --no-create-home ludotheque && \
    install -d -o 7707 -g 7707 -m 700 /data
COPY --from=build /opt/ludotheque /opt/ludotheque
COPY --from=build /opt/compiled /opt/compiled
ENV PATH=/opt/ludotheque/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    NUMBA_CPU_NAME=generic NUMBA_ENABLE_AVX=0 \
    LUDOTHEQUE_CACHE=/opt/compiled LUDOTHEQUE_DATA=/data LUDOTHEQUE_LANG=en
USER 7707
VOLUME /data
EXPOSE 7707
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:7707/healthz', timeout=9)"]
ENTRYPOINT ["ludotheque"]
CMD ["serve", "--host", "0.0.0.0"]
