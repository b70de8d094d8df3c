/** The fields of a new user, without what they sign in with. */
import type { ReactNode } from 'react'
import { TextField } from './form.tsx'
import { usePage, useSettings } from './page.ts'
import { TermsField } from './terms-field.tsx'
import { UserFields } from './user-fields.tsx'
import { UsernameField, usernameErrors } from './username-field.tsx'

/** For the `fields` of a form with these fields. */
export const newUserErrors = { INVALID_EMAIL: 'email', ...usernameErrors('username') }

interface Props {
  readonly labels: { readonly name: string; readonly email: string }
  /** The password, if there is one: password managers store the email address with it. */
  readonly children?: ReactNode
}

export function NewUserFields({ labels, children }: Props) {
  const { username } = useSettings()
  const { email } = usePage().page.kept
  return (
    <>
      <TextField name="name" label={labels.name} autoComplete="name" maxLength={255} />
      <TextField name="email" label={labels.email} type="email" initial={email} autoComplete={children ? 'username' : 'email'} />
      {username?.atSignUp ? <UsernameField name="username" /> : null}
      {children}
      <UserFields />
      <TermsField />
    </>
  )
}
