/** Spaces around an email address are removed in every field of every call (contract 00 §12). */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { resolveSchema } from '../../src/core/route.ts'
import { mergeTables } from '../../src/core/table.ts'
import { featureList } from '../../src/features/index.ts'
import { testApp } from '../kit/app.ts'

/** Fields that are not input: `/update-user` rejects any email address. */
const rejected = ['POST /update-user email']

/** The schemas of fields for email addresses, by path. */
function* emailFields(schema: unknown, path: string): Generator<[path: string, field: z.ZodType]> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) yield* emailFields(schema.unwrap(), path)
  if (!(schema instanceof z.ZodObject)) return
  for (const [name, field] of Object.entries(schema.shape as Record<string, z.ZodType>)) {
    if (/email$/i.test(name)) yield [`${path} ${name}`, field]
    yield* emailFields(field, `${path} ${name}`)
  }
}

test('every field for an email address removes the spaces around it', async () => {
  const { app } = await testApp({ admin: true, organization: true, anonymous: true, phoneNumber: true, username: true })
  const fields = Object.values(featureList)
    .flatMap((feature) => Object.entries(feature.routes ?? {}))
    .flatMap(([key, route]) => [
      ...emailFields(resolveSchema(route.declaration.body, app.config, mergeTables(app.features), app.features), key),
    ])
    .filter(([path]) => !rejected.includes(path))
  const read = fields.map(([path, field]) => [path, field.safeParse(' Ann@Example.com\t').data])
  expect(read).toEqual(fields.map(([path]) => [path, 'Ann@Example.com']))
  expect(fields.map(([path]) => path)).toContain('POST /sign-in/email email')
  expect(fields.length).toBeGreaterThan(7)
})
