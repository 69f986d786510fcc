# The image of Gatehouse: server, console and command line.
#
#   docker build -t gatehouse .
#   docker run --rm gatehouse help
#
# BUILD has Node 24, npm, Python and a C++ compiler. BASE has glibc, libstdc++ and the certificates of public authorities,
# and no shell; Node comes from BUILD. A registry that needs a token: --secret id=npmrc,src=$HOME/.npmrc
ARG BUILD=docker.io/library/node:24-bookworm@sha256:64af3819f9275802414d7cdc38c27e9d82bd564dec4d4da87d008255d36c63b4
ARG BASE=gcr.io/distroless/cc-debian12:nonroot@sha256:9dac0a79194e45a7da0158a9c6da57b217585af0786db3845d1f0ec1a0dd182f

FROM ${BUILD} AS build
ENV CI=true DO_NOT_TRACK=1 NEXT_TELEMETRY_DISABLED=1
# Natives are compiled from the sources that the lock file names, instead of downloaded ready-made.
ENV npm_config_build_from_source=true npm_config_nodedir=/usr/local
WORKDIR /src

# Only a change of the lock file fetches again.
COPY .npmrc pnpm-lock.yaml pnpm-workspace.yaml ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
  npm install --global pnpm@12.21.0 && pnpm fetch

COPY . .
RUN pnpm install --offline --frozen-lockfile \
  --filter=gatehouse --filter=@gatehouse/server... --filter=@gatehouse/web... --filter=@gatehouse/admin...
RUN node scripts/bundle.mjs --installed && node scripts/image/root.mjs /image

FROM ${BASE}
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /image /
ENV PATH=/usr/local/bin NODE_ENV=production HOST=0.0.0.0 GATEHOUSE_DATA_DIR=/data GATEHOUSE_ENV_FILE=off
# Some hosts mount volumes that only root can write to.
ARG RUN_AS=65532:65532
USER ${RUN_AS}
WORKDIR /data
VOLUME /data
EXPOSE 3000 3001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["gatehouse", "health"]
ENTRYPOINT ["gatehouse"]
CMD ["web"]

ARG VERSION=0.0.0
ARG REVISION=unknown
ARG CREATED=1970-01-01T00:00:00Z
ARG SOURCE=
LABEL org.opencontainers.image.title="Gatehouse" \
  org.opencontainers.image.description="OAuth 2.1 authorization server, route guard and webhook inbox with an admin console" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}" \
  org.opencontainers.image.created="${CREATED}" \
  org.opencontainers.image.source="${SOURCE}"
