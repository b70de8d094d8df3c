/** First access: administrators seeded from the configuration, and the single-use link by which one sets a password. */
export { config, checkConfig } from './config.ts'
export { errors } from './errors.ts'
export { routes } from './routes.ts'
export { seed } from './seed.ts'
