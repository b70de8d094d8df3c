# Builds the package from this checkout and installs it: docs/install.md, "Container".
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
ARG TARGETARCH
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Without scripts: the build needs none of them, and the sources are not there yet.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build
RUN mkdir -p /image/opt/latchkey && tar -xzf latchkey-*.tgz -C /image/opt/latchkey --strip-components=1
# By the lock file of the package, which `npm install --global` of a tarball does not read. For the processor of the image, so no emulation is needed.
RUN npm ci --prefix /image/opt/latchkey --ignore-scripts --os=linux --libc=glibc --cpu="$(node -p "process.env.TARGETARCH?.replace('amd64', 'x64') || process.arch")"
# Types and source maps, which no program reads.
RUN find /image/opt/latchkey -regex '.*\.\(d\.[cm]?ts\|map\)' -delete
# The image has neither a shell nor env, which the first line of bin/latchkey.js names.
RUN mkdir -p /image/usr/local/bin && printf "#!/nodejs/bin/node\nimport('/opt/latchkey/bin/latchkey.js')\n" > /image/usr/local/bin/latchkey && chmod 755 /image/usr/local/bin/latchkey
RUN install --directory --mode=0755 /image/srv/latchkey && install --directory --mode=0700 /image/srv/latchkey/.latchkey

# Node.js and the libraries that it needs: no shell, no package manager.
FROM gcr.io/distroless/nodejs24-debian12
LABEL org.opencontainers.image.title="Latchkey" \
      org.opencontainers.image.description="Self-hosted accounts and sessions" \
      org.opencontainers.image.licenses="MIT"
COPY --from=build /image/opt /opt
COPY --from=build /image/usr/local/bin /usr/local/bin
# The project: auth.config.ts and migrations. The daemon writes to .latchkey only, and loses nothing when it is emptied.
COPY --from=build --chown=1000:1000 /image/srv /srv
ENV NODE_ENV=production PATH=/usr/local/bin:/nodejs/bin:/usr/bin:/bin
WORKDIR /srv/latchkey
USER 1000:1000
EXPOSE 4000
# The daemon stops accepting connections and finishes running requests within server.drainTimeout.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:4000/livez').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["latchkey"]
CMD ["start", "--host", "0.0.0.0", "--port", "4000", "--wait-for-db", "60"]
