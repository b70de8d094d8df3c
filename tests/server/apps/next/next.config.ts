import { join } from 'node:path'

/** The test keeps this application and its packages inside the repository. */
export default { turbopack: { root: join(import.meta.dirname, '..') } }
