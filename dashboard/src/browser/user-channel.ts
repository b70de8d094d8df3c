/** How pages in other tabs and windows learn whose session this browser has now; they must not have a reference to each other (COOP). */

/** One for all: a channel does not get what it has sent itself. */
let opened: BroadcastChannel | null = null
function channel(): BroadcastChannel {
  opened ??= new BroadcastChannel('latchkey:user')
  return opened
}

/** @param userId null: this browser has signed out */
export const announceUser = (userId: string | null): void => channel().postMessage(userId)

/** Calls `listener` for each user that another tab announces. @returns a function that stops this */
export function onUser(listener: (userId: string | null) => void): () => void {
  const own = channel()
  own.onmessage = ({ data }: MessageEvent<unknown>) => listener(typeof data === 'string' ? data : null)
  return () => {
    own.onmessage = null
  }
}

const storageKey = 'latchkey.user-change'

/** Before this page is loaded again as that of another user: it then says so. */
export const noteUserChange = (userId: string): void => sessionStorage.setItem(storageKey, userId)

/** Whether this page was loaded again because this user has signed in in another tab. */
export const hasUserChanged = (userId: string): boolean => sessionStorage.getItem(storageKey) === userId
export const discardUserChange = (): void => sessionStorage.removeItem(storageKey)
