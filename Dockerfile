# Builds the package from this checkout and installs it: docs/install.md, "Container".
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Without scripts: the build needs none of them, and the sources are not there yet.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build
# By the lock file of the package, which `npm install --global` of a tarball does not read.
RUN mkdir -p /opt/latchkey && tar -xzf latchkey-*.tgz -C /opt/latchkey --strip-components=1
RUN npm ci --prefix /opt/latchkey --ignore-scripts

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Latchkey" \
      org.opencontainers.image.description="Self-hosted accounts and sessions" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /opt/latchkey /opt/latchkey
RUN ln -s /opt/latchkey/bin/latchkey.js /usr/local/bin/latchkey
ENV NODE_ENV=production
# The project: auth.config.ts and migrations. The daemon writes to .latchkey only, and loses nothing when it is emptied.
WORKDIR /srv/latchkey
RUN install --directory --owner=node --group=node --mode=0700 /srv/latchkey/.latchkey
USER node
EXPOSE 4000
# The daemon stops accepting connections and finishes running requests within server.drainTimeout.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:4000/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["latchkey"]
CMD ["start", "--host", "0.0.0.0", "--port", "4000", "--wait-for-db", "60"]
