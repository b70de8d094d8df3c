/** Says whether a username is free while it is typed. */
import { showError } from './validation.ts'

/** After this time without input the username is checked. In milliseconds. */
const pause = 400

/** @param field with a status element after it that has the sentences */
export function watchUsername(field: HTMLInputElement): void {
  const status = field.closest('[data-username]')?.querySelector<HTMLElement>('[role=status]')
  const form = field.form
  if (!status || !form) return
  const { min = '', checking = '', free = '', taken = '' } = status.dataset
  const check = async (name: string) => {
    status.textContent = checking
    const body = JSON.stringify({ username: name })
    const response = await fetch(form.action.replace(/\/sign-up\/email$/, '/is-username-available'), {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
    })
    const { available, message } = await response.json()
    if (field.value !== name) return
    status.textContent = available ? free.replace('{name}', name) : ''
    if (!available) showError(field, response.ok ? taken.replace('{name}', name) : message)
  }
  let timer = 0
  field.addEventListener('input', () => {
    clearTimeout(timer)
    status.textContent = ''
    showError(field, '')
    const { value } = field
    if (value.length < Number(min)) return
    // Without a connection, the form says so when it is sent.
    timer = window.setTimeout(() => void check(value).catch(() => (status.textContent = '')), pause)
  })
}
