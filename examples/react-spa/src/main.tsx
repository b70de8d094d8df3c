/** The app in the browser: the notes of the signed-in user. */
import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

interface Me {
  readonly name: string
  readonly notes: readonly string[]
}

/** What the API says about the user; null when they are signed out. */
async function readMe(): Promise<Me | null> {
  const response = await fetch('/api/me')
  if (response.status === 401) return null
  if (!response.ok) throw new Error(`The server responded with status ${response.status}`)
  return response.json()
}

function App() {
  const [me, setMe] = useState<Me | null | undefined>()
  const [problem, setProblem] = useState('')
  const load = useCallback(() => readMe().then(setMe, (error: Error) => setProblem(error.message)), [])
  useEffect(() => void load(), [load])

  async function addNote(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const text = new FormData(form).get('text')
    const response = await fetch('/api/notes', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    })
    if (!response.ok) return setProblem('The note was not saved')
    form.reset()
    await load()
  }

  if (problem) return <p role="alert">{problem}</p>
  if (me === undefined) return <p>Loading…</p>
  if (me === null)
    return (
      <main>
        <h1>Notes</h1>
        <a href="/sign-in">Sign in</a>
      </main>
    )
  return (
    <main>
      <h1>Notes of {me.name}</h1>
      <ul>
        {me.notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <form onSubmit={addNote}>
        <label>
          New note <input name="text" required maxLength={200} />
        </label>
        <button type="submit">Add</button>
      </form>
      <form method="post" action="/sign-out">
        <button type="submit">Sign out</button>
      </form>
    </main>
  )
}

const root = document.getElementById('app')
if (root) createRoot(root).render(<App />)
