'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useActionState } from 'react'
import { authClient } from '../lib/auth-client'
import type { Organization } from '../lib/organizations'

interface Outcome {
  readonly error: { readonly message?: string | undefined } | null
}

/** A form that changes something at Latchkey, and then renders the page again. */
function ChangeForm({ save, children }: { save: (form: FormData) => Promise<Outcome>; children: ReactNode }) {
  const router = useRouter()
  const [problem, submit, isPending] = useActionState(async (_: string, form: FormData) => {
    const { error } = await save(form).catch(() => ({ error: { message: 'Cannot reach Latchkey' } }))
    if (!error) router.refresh()
    return error ? error.message || 'This is not possible' : ''
  }, '')
  return (
    <form action={submit}>
      <fieldset disabled={isPending}>{children}</fieldset>
      <p role="alert">{problem}</p>
    </form>
  )
}

const text = (form: FormData, name: string) => String(form.get(name) ?? '')

/** The new organization becomes the active one. */
export function CreateOrganization() {
  const save = (form: FormData) => {
    const name = text(form, 'name')
    const slug = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${crypto.randomUUID().slice(0, 8)}`
    return authClient.organization.create({ name, slug })
  }
  return (
    <ChangeForm save={save}>
      <label>
        New organization <input name="name" required maxLength={50} />
      </label>
      <button type="submit">Create</button>
    </ChangeForm>
  )
}

export function SwitchOrganization(props: { organizations: readonly Organization[]; activeId: string | null }) {
  const save = (form: FormData) => authClient.organization.setActive({ organizationId: text(form, 'id') })
  return (
    <ChangeForm save={save}>
      <label>
        Organization{' '}
        <select name="id" key={props.activeId} defaultValue={props.activeId ?? ''}>
          {props.organizations.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <button type="submit">Switch</button>
    </ChangeForm>
  )
}

/** Latchkey sends the email, whose link leads to its hosted page. */
export function InviteMember() {
  const save = (form: FormData) => authClient.organization.inviteMember({ email: text(form, 'email'), role: 'member' })
  return (
    <ChangeForm save={save}>
      <label>
        Email address <input name="email" type="email" required />
      </label>
      <button type="submit">Invite</button>
    </ChangeForm>
  )
}
