import { join } from 'node:path'
import type { NextConfig } from 'next'

/** As create-next-app writes it; `root`, because the test keeps this application and its packages inside the repository. */
const nextConfig: NextConfig = {
  cacheComponents: true,
  partialPrefetching: true,
  turbopack: { root: join(import.meta.dirname, '..') },
}

export default nextConfig
