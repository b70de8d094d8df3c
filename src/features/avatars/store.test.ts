/** Uploaded pictures in a store of the operator. */
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import { signUp } from '../../../tests/kit/members.ts'
import { dataURL, png } from '../../../tests/kit/pictures.ts'
import { jobs } from './index.ts'

async function withStore(more: { readonly put?: () => Promise<string> } = {}) {
  const stored = new Map<string, Uint8Array>()
  let isDown = false
  const store = {
    put: async ({ id, bytes }: { readonly id: string; readonly bytes: Uint8Array }) => {
      const url = `https://bucket.example/${id}.webp`
      stored.set(url, bytes)
      return url
    },
    delete: async (url: string) => {
      if (isDown) throw new Error('out of order')
      stored.delete(url)
    },
    ...more,
  }
  const kit: TestApp = await testApp({ avatars: { store }, admin: true, user: { deleteUser: { enabled: true } } })
  const ann = await signUp(kit, 'Ann')
  const upload = async (picture: string | null) => {
    const answer = await ann.browser.call('POST /update-picture', { body: { picture } })
    await kit.settled()
    return answer
  }
  const setDown = (down: boolean) => {
    isDown = down
  }
  return { ...kit, ann, stored, upload, setDown }
}

test('stores an uploaded picture by the function of the operator, and nothing of it in the database', async () => {
  const { app, stored, upload } = await withStore()
  const { body } = await upload(dataURL(png(300, 200)))
  expect(body.image).toMatch(/^https:\/\/bucket\.example\/.+\.webp$/)
  expect([...stored.keys()]).toEqual([body.image])
  expect(
    Buffer.from(stored.get(body.image) ?? [])
      .subarray(8, 12)
      .toString(),
  ).toBe('WEBP')
  expect(await app.db.selectFrom('userPicture').select(['image', 'url']).execute()).toEqual([{ image: '', url: body.image }])
})

test('deletes the copy when the user removes the picture, or chooses another one', async () => {
  const { ann, stored, upload, settled } = await withStore()
  await upload(dataURL(png(30, 20)))
  const second = await upload(dataURL(png(40, 20)))
  expect([...stored.keys()]).toEqual([second.body.image])
  await ann.browser.call('POST /update-user', { body: { image: 'https://elsewhere.example/ann.png' } })
  await settled()
  expect([...stored.keys()]).toEqual([])
  await upload(dataURL(png(30, 20)))
  await upload(null)
  expect([...stored.keys()]).toEqual([])
})

test('deletes the copy with the user, and tries again while the store is out of order', async () => {
  const { app, ann, clock, stored, upload, setDown, settled } = await withStore()
  await upload(dataURL(png(30, 20)))
  setDown(true)
  expect((await ann.browser.call('POST /delete-user', { body: { password: 'correct horse battery' } })).status).toBe(200)
  await settled()
  expect([stored.size, await app.db.selectFrom('userPicture').select('id').execute()]).toEqual([1, []])
  setDown(false)
  await jobs.pictureDeletions.run(app, new AbortController().signal)
  expect(stored.size).toBe(1)
  clock.advance(61)
  await jobs.pictureDeletions.run(app, new AbortController().signal)
  expect([stored.size, await app.db.selectFrom('pictureDeletion').select('id').execute()]).toEqual([0, []])
})

test('changes nothing when the store fails, or returns no https: URL', async () => {
  for (const put of [() => Promise.reject(new Error('full')), async () => 'http://bucket.example/a.webp']) {
    const { app, ann, upload } = await withStore({ put })
    expect((await upload(dataURL(png(30, 20)))).status).toBe(500)
    expect((await ann.browser.call('GET /get-session', {})).body.user.image).toBeNull()
    expect(await app.db.selectFrom('userPicture').select('id').execute()).toEqual([])
  }
})
