'use client'

import { useState } from 'react'
import { authClient } from '../lib/auth-client'

export function UserMenu() {
  const { data: session } = authClient.useSession()
  const [problem, setProblem] = useState('')
  async function signOut() {
    const { error } = await authClient.signOut()
    if (error) setProblem(error.message ?? error.statusText)
    // A full load also discards the private pages in the memory of the router.
    else window.location.assign('/sign-in')
  }
  return (
    <header>
      <span>{session?.user.email}</span>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
      <p role="alert">{problem}</p>
    </header>
  )
}
