# syntax=docker/dockerfile:1
# Builds the package from this checkout and installs it on a slim image. The process runs as an ordinary user; only /data is written.

FROM node:24-bookworm-slim AS package
WORKDIR /source
COPY package.json package-lock.json ./
# The build scripts are not copied yet; `npm pack` runs them.
RUN npm ci --ignore-scripts
COPY . .
RUN mkdir /package && npm pack --pack-destination /package

FROM node:24-bookworm-slim AS install
RUN --mount=from=package,source=/package,target=/package \
    npm install --prefix /opt/talhouse --omit=dev --no-audit --no-fund /package/talhouse-*.tgz && npm cache clean --force

FROM node:24-bookworm-slim
ARG VERSION=0.2.0
LABEL org.opencontainers.image.title="talhouse" \
      org.opencontainers.image.description="Company and person enrichment, and a PostgreSQL warehouse kept in sync with it" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.talhouse.sbom="/opt/talhouse/sbom.cdx.json"
COPY --from=install /opt/talhouse /opt/talhouse
# npm needs a version of the folder's own manifest for the SBOM.
RUN npm pkg set --prefix /opt/talhouse "version=${VERSION}" \
    && npm sbom --prefix /opt/talhouse --sbom-format=cyclonedx --omit=dev > /opt/talhouse/sbom.cdx.json \
    && install --directory --owner=node --group=node --mode=0700 /data
ENV NODE_ENV=production \
    PATH="/opt/talhouse/node_modules/.bin:${PATH}" \
    TALHOUSE_DATA_DIR=/data \
    TALHOUSE_HTTP_HOST=0.0.0.0
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health/ready').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["talhouse"]
CMD ["serve"]
