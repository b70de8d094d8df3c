import { expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import { readDashboard } from './worker-app.ts'

test('does not start without the built hosted pages', async () => {
  const { app } = await testApp()
  const start = () => readDashboard(app, '/missing/dashboard')
  await expect(start).rejects.toThrow('The hosted pages are not built: their files are missing in /missing/dashboard')
  await expect(start).rejects.toThrow(
    expect.objectContaining({ code: 'DASHBOARD_MISSING', hint: expect.stringContaining('npm run build') }),
  )
  expect([...(await readDashboard(app, 'tests/kit/dashboard')).files.keys()]).toEqual(['assets/pages-1a2b3c4d.css'])
})
