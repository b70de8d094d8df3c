import { useState } from 'react'
import { authClient } from './auth-client.ts'
import { SignIn } from './SignIn.tsx'

export default function App() {
  const { data: session, isPending } = authClient.useSession()
  if (isPending) return <p>Loading…</p>
  return session ? <Account email={session.user.email} /> : <SignIn />
}

function Account({ email }: { email: string }) {
  const [problem, setProblem] = useState('')
  async function signOut() {
    const { error } = await authClient.signOut()
    if (error) setProblem(error.message ?? error.statusText)
  }
  return (
    <main>
      <p>Signed in as {email}</p>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
      <p role="alert">{problem}</p>
    </main>
  )
}
