import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { reader } from '../../lib/reader'

export default async function Account() {
  const session = await reader.getSession(await headers())
  if (!session) redirect(reader.signInURL('/account'))
  return (
    <>
      <h1>Hello {String(session.user.name)}</h1>
      <form method="post" action="/sign-out">
        <button type="submit">Sign out</button>
      </form>
    </>
  )
}
