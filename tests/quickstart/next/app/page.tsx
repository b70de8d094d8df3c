import { redirect } from 'next/navigation'
import { Suspense } from 'react'
import { getSession } from '../lib/session'
import { UserMenu } from './user-menu'

export default function Home() {
  return (
    <Suspense fallback={<p>Loading…</p>}>
      <PrivatePage />
    </Suspense>
  )
}

async function PrivatePage() {
  const session = await getSession()
  if (!session) redirect('/sign-in')
  return (
    <>
      <UserMenu />
      <main>
        <h1>Hello {session.user.name}</h1>
      </main>
    </>
  )
}
