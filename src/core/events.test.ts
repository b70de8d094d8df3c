import { expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import { featureList } from '../features/index.ts'
import { emit } from './events.ts'
import type { Feature } from './feature.ts'

test('merges the columns that listeners return; later features win', async () => {
  const first: Feature = { on: { 'session.creating': () => ({ userAgent: 'first', ipAddress: '192.0.2.1' }) } }
  const second: Feature = { on: { 'session.creating': async () => ({ userAgent: 'second' }) } }
  const { app } = await testApp({}, { features: { ...featureList, first, second } })
  const columns = await emit(app, 'session.creating', { session: {} as never, user: {} as never })
  expect(columns).toEqual({ userAgent: 'second', ipAddress: '192.0.2.1' })
})

test('passes on what a listener throws', async () => {
  const broken: Feature = {
    on: {
      'user.deleted': () => {
        throw new Error('of the listener')
      },
    },
  }
  const { app } = await testApp({}, { features: { ...featureList, broken } })
  await expect(emit(app, 'user.deleted', { userId: 'u' })).rejects.toThrow('of the listener')
})
