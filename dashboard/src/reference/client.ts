/** The script of the API reference: searches calls, copies code, remembers its language, and tries calls. Without it the pages are complete. */
import './reference.css'
import { startTheme } from '../hosted/theme-choice.ts'
import { startTry } from './try.ts'

const texts = document.querySelector<HTMLTemplateElement>('#try')?.dataset ?? {}
const nav = document.querySelector<HTMLElement>('#calls')
const search = document.querySelector<HTMLInputElement>('#search')

/** Shows the calls with every word that was typed, in their title or path. */
function filter(calls: HTMLElement, typed: string): void {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const group of calls.querySelectorAll('details')) {
    let isFound = false
    for (const entry of group.querySelectorAll('li')) {
      const text = `${entry.textContent} ${entry.dataset.path}`.toLowerCase()
      entry.hidden = !words.every((word) => text.includes(word))
      if (!entry.hidden) isFound = true
      if (!entry.hidden) count += 1
    }
    group.dataset.wasOpen ??= String(group.open)
    group.hidden = !isFound
    group.open = words.length > 0 ? isFound : group.dataset.wasOpen === 'true'
    if (words.length === 0) delete group.dataset.wasOpen
  }
  const status = calls.querySelector<HTMLElement>('[role=status]')
  if (status) status.textContent = count === 0 ? (status.dataset.none ?? '') : ''
}

function startSearch(calls: HTMLElement, field: HTMLInputElement): void {
  field.addEventListener('input', () => filter(calls, field.value))
  field.addEventListener('keydown', (event) => {
    const first = calls.querySelector<HTMLAnchorElement>('details:not([hidden]) li:not([hidden]) a')
    if (event.key === 'Enter' && field.value !== '') first?.click()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).matches('input:not([type=radio]), textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    // On narrow screens the list is closed.
    if (!field.checkVisibility()) calls.showPopover()
    field.focus()
  })
  calls.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a') && calls.matches(':popover-open')) calls.hidePopover()
  })
}

/** The call in the address is marked in the list, which shows it. */
function markCurrent(calls: HTMLElement): void {
  for (const link of calls.querySelectorAll<HTMLAnchorElement>('li a')) {
    const isCurrent = link.getAttribute('href') === location.hash
    link.ariaCurrent = isCurrent ? 'location' : null
    if (isCurrent) link.scrollIntoView({ block: 'nearest' })
  }
}

function startCopy(button: HTMLButtonElement): void {
  const label = button.textContent
  button.addEventListener('click', () => {
    const shown = [...(button.closest('.code')?.querySelectorAll('pre') ?? [])].find((each) => each.checkVisibility())
    const say = (text: string | undefined) => {
      button.textContent = text ?? label
      setTimeout(() => (button.textContent = label), 2000)
    }
    navigator.clipboard.writeText(shown?.textContent ?? '').then(
      () => say(texts.copied),
      () => say(texts.notCopied),
    )
  })
}

const languageKey = 'latchkey.code'

/** A choice is for all calls, and for the next page. */
function startLanguages(): void {
  const choose = (language: string | null) => {
    for (const radio of document.querySelectorAll<HTMLInputElement>('.code input')) radio.checked ||= radio.value === language
  }
  choose(localStorage.getItem(languageKey))
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.code')) return
    localStorage.setItem(languageKey, target.value)
    const before = target.getBoundingClientRect().top
    choose(target.value)
    // Code above that is longer or shorter moves nothing.
    scrollBy(0, target.getBoundingClientRect().top - before)
  })
}

if (nav && search) startSearch(nav, search)
if (nav) {
  markCurrent(nav)
  addEventListener('hashchange', () => markCurrent(nav))
}
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy-code]')) startCopy(button)
for (const place of document.querySelectorAll<HTMLElement>('[data-try]')) startTry(place)
startLanguages()
startTheme()
