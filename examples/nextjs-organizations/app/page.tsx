import Link from 'next/link'
import { listOrganizations, requireUser } from '../lib/organizations'
import { CreateOrganization, SwitchOrganization } from './organization-forms'

export default async function Home() {
  const { name, activeId } = await requireUser()
  const organizations = await listOrganizations()
  const active = organizations.find(({ id }) => id === activeId)
  return (
    <main>
      <h1>Hello {name}</h1>
      {active && (
        <>
          <h2>Projects of {active.name}</h2>
          <Link href="/admin">Members and invitations</Link>
        </>
      )}
      {organizations.length > 0 && <SwitchOrganization organizations={organizations} activeId={activeId} />}
      <CreateOrganization />
      <form method="post" action="/sign-out">
        <button type="submit">Sign out</button>
      </form>
    </main>
  )
}
