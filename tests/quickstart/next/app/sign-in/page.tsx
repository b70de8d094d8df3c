'use client'

import { useActionState, useState } from 'react'
import { authClient } from '../../lib/auth-client'

export default function SignInPage() {
  const [isNew, setIsNew] = useState(true)
  const [failure, submit, isPending] = useActionState(async (_: unknown, form: FormData) => {
    const field = (name: string) => String(form.get(name) ?? '')
    const [name, email, password] = [field('name'), field('email'), field('password')]
    const call = isNew ? authClient.signUp.email({ name, email, password }) : authClient.signIn.email({ email, password })
    const { error } = await call.catch(() => ({ error: { message: '' } }))
    if (!error) window.location.assign('/')
    return error && { name, email, message: error.message || 'Cannot reach Latchkey' }
  }, null)
  return (
    <form action={submit}>
      <h1>{isNew ? 'Sign up' : 'Sign in'}</h1>
      {isNew && <input name="name" placeholder="Name" autoComplete="name" defaultValue={failure?.name} required />}
      <input name="email" type="email" placeholder="Email" autoComplete="email" defaultValue={failure?.email} required />
      <input
        name="password"
        type="password"
        placeholder="Password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
      />
      <button type="submit" disabled={isPending}>
        {isNew ? 'Create account' : 'Continue'}
      </button>
      <button type="button" onClick={() => setIsNew(!isNew)}>
        {isNew ? 'I have an account' : 'I need an account'}
      </button>
      <p role="alert">{failure?.message}</p>
    </form>
  )
}
