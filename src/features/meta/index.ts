/** Whether the API is there, and the page on which a failed redirect ends. */
export { routes } from './routes.ts'
