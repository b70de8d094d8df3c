import type { NextConfig } from 'next'

/** As create-next-app writes it; `root`, because the test keeps this application inside the repository. */
const nextConfig: NextConfig = {
  cacheComponents: true,
  partialPrefetching: true,
  turbopack: { root: import.meta.dirname },
}

export default nextConfig
