'use client'

import { useState } from 'react'
import { authClient } from '../../lib/auth-client'

export default function SignInPage() {
  const [isNew, setIsNew] = useState(true)
  const [problem, setProblem] = useState('')
  async function submit(form: FormData) {
    const field = (name: string) => String(form.get(name))
    const credentials = { email: field('email'), password: field('password') }
    const { error } = isNew
      ? await authClient.signUp.email({ name: field('name'), ...credentials })
      : await authClient.signIn.email(credentials)
    if (error) setProblem(error.message ?? error.statusText)
    else window.location.assign('/')
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit(new FormData(event.currentTarget))
      }}
    >
      <h1>{isNew ? 'Sign up' : 'Sign in'}</h1>
      {isNew && <input name="name" placeholder="Name" autoComplete="name" required />}
      <input name="email" type="email" placeholder="Email" autoComplete="email" required />
      <input
        name="password"
        type="password"
        placeholder="Password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
      />
      <button type="submit">{isNew ? 'Create account' : 'Continue'}</button>
      <button type="button" onClick={() => setIsNew(!isNew)}>
        {isNew ? 'I have an account' : 'I need an account'}
      </button>
      <p role="alert">{problem}</p>
    </form>
  )
}
