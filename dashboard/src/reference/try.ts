/** Sends a call from the page, as the user of its session, and shows the response as text. */

interface TriedCall {
  readonly method: string
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly required: boolean
    readonly example?: unknown
  }[]
  readonly body?: unknown
  readonly isForm?: boolean
}

const template = document.querySelector<HTMLTemplateElement>('#try')
/** Of the API, without a slash at the end. */
const api = document.querySelector<HTMLAnchorElement>('a[download]')?.pathname.replace(/\/open-api\/.*/, '') ?? ''

/** Puts a form next to the call. @param place with what `requestOf` of call.tsx has written */
export function startTry(place: HTMLElement): void {
  const copy = template?.content.cloneNode(true)
  if (!(copy instanceof DocumentFragment)) return
  const call: TriedCall = JSON.parse(place.dataset.try ?? '{}')
  const form = copy.querySelector('form')
  const field = copy.querySelector<HTMLElement>('[data-field]')
  const body = copy.querySelector<HTMLElement>('[data-body]')
  if (!form || !field || !body) return
  for (const parameter of call.parameters) field.before(fieldFor(field, parameter))
  field.remove()
  const text = body.querySelector('textarea')
  if ('body' in call && text) text.value = JSON.stringify(call.body, null, 2)
  else body.remove()
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const shown = await send(call, form)
    const output = form.querySelector<HTMLElement>('[role=status]')
    if (output) output.textContent = shown
  })
  place.append(copy)
}

function fieldFor(field: HTMLElement, { name, required, example }: TriedCall['parameters'][number]): HTMLElement {
  const own = field.cloneNode(true) as HTMLElement
  const [label, input] = [own.querySelector('span'), own.querySelector('input')]
  if (label) label.textContent = name
  if (input) Object.assign(input, { name, required, value: example === undefined ? '' : String(example) })
  return own
}

const said = (name: string): string => template?.dataset[name] ?? ''

/** @returns what is shown: the status and the body of the response, or what is wrong with the request */
async function send({ method, path, parameters, isForm }: TriedCall, form: HTMLFormElement): Promise<string> {
  const values = new FormData(form)
  const given = parameters
    .map((parameter) => ({ ...parameter, value: String(values.get(parameter.name) ?? '') }))
    .filter(({ value }) => value !== '')
  const of = (place: string) => given.filter((each) => each.in === place).map(({ name, value }) => [name, value] as const)
  const filled = of('path').reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path)
  const query = new URLSearchParams(of('query').map(([name, value]) => [name, value])).toString()
  const typed = form.querySelector('textarea')?.value
  const body = typed === undefined ? undefined : parse(typed)
  if (typed !== undefined && body === undefined) return said('invalid')
  const type = typed !== undefined && !isForm ? { 'content-type': 'application/json' } : {}
  try {
    const response = await fetch(`${api}${filled}${query === '' ? '' : `?${query}`}`, {
      method,
      redirect: 'manual',
      headers: { ...type, ...Object.fromEntries(of('header')) },
      ...(typed !== undefined && { body: isForm ? new URLSearchParams(body as Record<string, string>) : typed }),
    })
    if (response.type === 'opaqueredirect') return said('redirected')
    const text = await response.text()
    const json = parse(text)
    return `${response.status} ${response.statusText}\n\n${json === undefined ? text : JSON.stringify(json, null, 2)}`
  } catch {
    return said('offline')
  }
}

/** @returns undefined for a text that is not JSON */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
