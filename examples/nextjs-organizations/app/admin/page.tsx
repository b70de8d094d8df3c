import Link from 'next/link'
import { notFound } from 'next/navigation'
import { isAdministrator, readOrganization, requireUser } from '../../lib/organizations'
import { InviteMember } from '../organization-forms'

/** Only for administrators of the active organization; other members get status 404. */
export default async function Admin() {
  const { activeId } = await requireUser()
  if (activeId === null || !(await isAdministrator())) notFound()
  const { name, members } = await readOrganization(activeId)
  return (
    <main>
      <h1>Members of {name}</h1>
      <ul>
        {members.map(({ id, role, user }) => (
          <li key={id}>
            {user.name} ({user.email}): {role}
          </li>
        ))}
      </ul>
      <InviteMember />
      <Link href="/">Back</Link>
    </main>
  )
}
