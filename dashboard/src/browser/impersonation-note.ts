/** What this tab knows of an impersonation that has started in it. */

interface Note {
  readonly sessionId: string
  /** The name of the administrator. */
  readonly administrator: string
  readonly reason: string
}

const storageKey = 'latchkey.impersonation'

/** Until this tab is closed: the session itself names only the administrator's ID. */
export const noteImpersonation = (note: Note): void => sessionStorage.setItem(storageKey, JSON.stringify(note))

/** Whether an impersonation has started in this tab, and was not ended here. */
export const hasNote = (): boolean => sessionStorage.getItem(storageKey) !== null

/** What this tab knows of the impersonation; null in other tabs. */
export function readNote(sessionId: string): Note | null {
  try {
    const note: Partial<Note> | null = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null')
    const { administrator, reason } = note ?? {}
    return note?.sessionId === sessionId && typeof administrator === 'string' && typeof reason === 'string'
      ? { sessionId, administrator, reason }
      : null
  } catch {
    // Another program has written it.
    return null
  }
}

export const deleteNote = (): void => sessionStorage.removeItem(storageKey)
