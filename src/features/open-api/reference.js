/* The API reference page: loads the OpenAPI document, lists its calls in the sidebar and shows them with Swagger UI. */
const root = document.documentElement
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const themeButton = document.getElementById('theme')

function applyTheme() {
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : prefersDark.matches
  root.classList.toggle('dark-mode', isDark)
  themeButton.textContent = isDark ? 'Light mode' : 'Dark mode'
}
prefersDark.addEventListener('change', applyTheme)
themeButton.addEventListener('click', () => {
  root.dataset.theme = root.classList.contains('dark-mode') ? 'light' : 'dark'
  applyTheme()
})
applyTheme()

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** Opens the details of a call, which Swagger UI draws when they are needed, and scrolls to it. */
function openCall(operationId) {
  const call = document.querySelector(`.opblock[id$="-${CSS.escape(operationId)}"]`)
  if (!call) return
  if (!call.classList.contains('is-open')) call.querySelector('.opblock-summary-control').click()
  call.scrollIntoView()
}

function sidebar(areas) {
  return areas.map(({ name, calls }) =>
    element(
      'section',
      {},
      element('h2', { textContent: name }),
      ...calls.map(({ method, operation }) => {
        const link = element('a', { href: `#/${encodeURIComponent(name)}/${operation.operationId}` })
        link.append(
          element('span', { className: 'method', textContent: method }),
          element('span', { textContent: operation.summary }),
        )
        link.addEventListener('click', (event) => {
          event.preventDefault()
          history.replaceState(null, '', link.href)
          openCall(operation.operationId)
        })
        return link
      }),
    ),
  )
}

const response = await fetch(document.body.dataset.document)
const api = await response.json()
const methods = Object.values(api.paths).flatMap((path) => Object.entries(path))
// The wire contract fixes some tags: it tags most calls with Default as well, and names others after a plugin. The page lists
// each call once, under its own area, and shows that area by a readable title.
const titles = { 'Open-api': 'OpenAPI document' }
const titleOf = (tag) => titles[tag] ?? tag
for (const [, operation] of methods) operation.tags = operation.tags.slice(0, 1).map(titleOf)
for (const tag of api.tags) tag.name = titleOf(tag.name)
const areas = api.tags
  .map(({ name }) => ({
    name,
    calls: methods
      .filter(([, { tags }]) => tags.includes(name))
      .map(([method, operation]) => ({ method: method.toUpperCase(), operation })),
  }))
  .filter(({ calls }) => calls.length > 0)
api.tags = api.tags.filter(({ name }) => areas.some((area) => area.name === name))

document.getElementById('calls').append(...sidebar(areas))
globalThis.SwaggerUIBundle({
  spec: api,
  dom_id: '#reference',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
})
