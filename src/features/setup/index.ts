/** First access: administrators seeded from the configuration, and the single-use link by which one sets a password. */
export { checkConfig, config } from './config.ts'
export { createUser } from './create.ts'
export { errors } from './errors.ts'
export { routes } from './routes.ts'
export { seed } from './seed.ts'
