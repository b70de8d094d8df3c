/** The API's own description: an OpenAPI 3.1 document made from the declarations, and a page that shows it. */
import type { Config } from '../index.ts'

export { config } from './config.ts'
export { openAPIDocument } from './document.ts'
export { routes } from './routes.ts'

export const enabled = (config: Config) => config.openAPI.enabled
