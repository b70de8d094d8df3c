/** Single-use secrets with an expiry. What a secret permits is decided by the feature that asked for it. */
export { consumeVerification, createVerification, findVerification, hasVerification } from './verifications.ts'
export { indexes, tables } from './tables.ts'
