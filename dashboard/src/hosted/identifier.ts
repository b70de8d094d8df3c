/**
 * The steps of the sign-in page with the identifier first, and the account that was used last in this browser. Nothing of it asks the
 * server: it shows and hides what the page has.
 */

/** As the server names it to the script after a sign-in. */
interface Account {
  readonly method: string
  readonly name: string
  readonly identifier: string
}

const accountKey = 'latchkey.account'

/** @param header of the response to a form; null: it creates no session; empty: nothing of the user is kept */
export function rememberAccount(header: string | null): void {
  if (header === '') localStorage.removeItem(accountKey)
  else if (header !== null) localStorage.setItem(accountKey, decodeURIComponent(header))
}

function readAccount(): Account | null {
  try {
    return JSON.parse(localStorage.getItem(accountKey) ?? 'null')
  } catch {
    return null
  }
}

interface Steps {
  /** @param methods those to show; absent: the first that accepts what was typed */
  readonly open: (method?: HTMLElement | null) => void
  readonly field: HTMLInputElement
}

const all = <E extends HTMLElement>(root: ParentNode, selector: string): readonly E[] => [...root.querySelectorAll<E>(selector)]

declare global {
  interface HTMLFormElement {
    /** In place of sending it. */
    proceed?: () => void
  }
}

/** @param start a form that is shown for the first time */
export function startSteps(root: ParentNode, start: (form: HTMLFormElement) => void): Steps | null {
  const page = root.querySelector<HTMLElement>('[data-identifier-first]')
  const form = page?.querySelector<HTMLFormElement>('[data-first-step]')
  const [field, second] = [
    form?.querySelector<HTMLInputElement>('input[id]'),
    page?.querySelector<HTMLElement>('[data-second-step]'),
  ]
  if (!page || !form || !field || !second) return null
  const methods = all(second, '[data-method]')
  const others = all(page, '[data-other]')
  const another = second.querySelector<HTMLElement>('[data-another]')
  const reveal = (element: HTMLElement): void => {
    element.hidden = false
    for (const each of all<HTMLFormElement>(element, 'form')) start(each)
  }
  const accepting = (): readonly HTMLElement[] => {
    const kind = kindOf(field.value, form.dataset.firstStep ?? '')
    return methods.filter(({ dataset }) => dataset.accepts?.split(' ').includes(kind))
  }
  const open = (method: HTMLElement | null = accepting()[0] ?? null): void => {
    for (const element of [form, ...methods, ...others]) element.hidden = true
    for (const input of all<HTMLInputElement>(second, '[data-identifier]')) input.value = field.value.trim()
    for (const typed of all(second, '[data-typed]')) typed.textContent = field.value.trim()
    second.hidden = false
    if (method) reveal(method)
    if (another) another.hidden = accepting().length < 2 && others.length === 0
  }
  form.proceed = () => {
    open()
    focusFirst(second.querySelector('[data-method]:not([hidden])'))
  }
  another?.addEventListener('click', () => {
    const rest = [...accepting(), ...others].filter(({ hidden }) => hidden)
    for (const each of rest) reveal(each)
    another.hidden = true
    for (const each of rest) if (focusFirst(each)) break
  })
  second.querySelector('[data-change]')?.addEventListener('click', (event) => {
    event.preventDefault()
    second.hidden = true
    for (const element of [form, ...others]) element.hidden = false
    field.focus()
  })
  const failed = methods.find(({ hidden }) => !hidden)
  field.value ||= second.querySelector('[data-typed]')?.textContent ?? ''
  if (failed) open(failed)
  return { open, field }
}

/** @param accepted of the page, such as `email username` */
function kindOf(typed: string, accepted: string): string {
  const kinds = accepted.split(' ')
  const isNumber = typed.trim().startsWith('+') || !kinds.includes('username')
  const kind = typed.includes('@') ? 'email' : kinds.includes('phone') && isNumber ? 'phone' : 'username'
  return kinds.includes(kind) ? kind : (kinds[0] ?? '')
}

/** What the user can do there: a field, else a button. @returns whether there is anything */
function focusFirst(root: ParentNode | null): boolean {
  const seen = root ? all(root, 'input:not([type=hidden], [type=checkbox]), [type=submit], a').filter(isSeen) : []
  const target = seen.find((element) => element instanceof HTMLInputElement) ?? seen[0]
  target?.focus()
  return target !== undefined
}

const isSeen = (element: HTMLElement): boolean => element.checkVisibility()

/** @param steps null: all methods are on the page @param carry keeps the address for the next page */
export function startAccount(root: ParentNode, steps: Steps | null, carry: (email: string) => void): void {
  const place = root.querySelector<HTMLElement>('[data-last-account]')
  const account = readAccount()
  // After a sign-in of which the script knows nothing, the account is not that of the method.
  if (!place || account === null || account.method !== place.dataset.lastAccount) return
  const [use, remove] = [place.querySelector<HTMLElement>('[data-continue]'), place.querySelector<HTMLElement>('[data-remove]')]
  const method = root.querySelector<HTMLElement>(`[data-method="${place.dataset.of}"]`)
  // Without WebAuthn there is no passkey to continue with.
  if (!use || !remove || !method || method.querySelector('[data-passkey-place][hidden]')) return
  const write = (element: HTMLElement, text = '') => (element.textContent = text.replace('{name}', account.name))
  write(use, use.dataset.continue)
  write(remove, remove.dataset.remove)
  for (const each of all(place, '[data-masked]')) each.textContent = masked(account.identifier)
  place.hidden = false
  remove.addEventListener('click', () => {
    rememberAccount('')
    place.hidden = true
    const field = steps?.field ?? root.querySelector<HTMLInputElement>('input[name=email]')
    if (field) field.value = ''
    carry('')
    field?.focus()
  })
  use.addEventListener('click', () => {
    carry(account.identifier)
    if (steps && method.hasAttribute('data-accepts')) {
      steps.field.value = account.identifier
      steps.open(method)
    }
    for (const field of all<HTMLInputElement>(method, 'input[name=email]')) field.value = account.identifier
    press(method, account.method)
  })
}

/** What needs nothing more is used; in other cases, what is missing gets the focus. */
function press(method: HTMLElement, name: string): void {
  const button =
    method.querySelector<HTMLElement>(`button[value="${CSS.escape(name)}"]`) ?? method.querySelector('[type=submit], a')
  const missing = all<HTMLInputElement>(method, 'input[required]').find(({ value }) => value === '')
  if (missing) missing.focus()
  else button?.click()
}

/** `a…@example.com`: others look at the screen too. */
const masked = (identifier: string): string => identifier.replace(/^(.)[^@]*/, '$1…')
