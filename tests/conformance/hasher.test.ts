import { hasherSuite } from './hasher.ts'

hasherSuite('@node-rs/argon2')
hasherSuite('argon2')
