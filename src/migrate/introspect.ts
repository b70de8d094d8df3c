/** The live schema of either database. */
import type { Kysely } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import type { Database } from '../features/index.ts'
import { introspectMysql } from './introspect-mysql.ts'
import { introspectSqlite } from './introspect-sqlite.ts'
import type { Schema } from './schema.ts'

export const introspect = (db: Kysely<Database>, dialect: Dialect): Promise<Schema> =>
  dialect.name === 'sqlite' ? introspectSqlite(db) : introspectMysql(db)
