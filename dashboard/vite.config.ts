import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { languages } from '../src/lib/locale.ts'
import { providerMarks } from './provider-marks.ts'

/** The texts of a language: of areas that only some users open, then those of every page. */
const texts = (locale: string) => [
  { name: `event-texts-${locale}`, test: new RegExp(`/src/events/([\\w-]+-)?${locale}\\.ts$`) },
  { name: `user-security-texts-${locale}`, test: new RegExp(`/src/features/admin/user-security-${locale}\\.ts$`) },
  { name: `sign-in-policy-texts-${locale}`, test: new RegExp(`/src/features/statistics/policy-${locale}\\.ts$`) },
  { name: `explanation-texts-${locale}`, test: new RegExp(`/src/features/operations/explain-${locale}\\.ts$`) },
  { name: `incident-texts-${locale}`, test: new RegExp(`/src/features/operations/incident-${locale}\\.ts$`) },
  { name: `system-texts-${locale}`, test: new RegExp(`/src/features/operations/(system|keys)-${locale}\\.ts$`) },
  {
    name: `admin-texts-${locale}`,
    test: new RegExp(
      `/src/(features/(admin|audit-log|branding|bulk-actions|operations|social-sign-in|statistics)/([\\w-]+-)?|messages/(admin-errors|mail-kinds)-)${locale}\\.ts$`,
    ),
  },
  { name: `development-texts-${locale}`, test: new RegExp(`/src/features/(development|mailbox)/${locale}\\.ts$`) },
  {
    name: `security-texts-${locale}`,
    test: new RegExp(`/src/features/second-factor/(passkey-(sign-in-)?|setup-)?${locale}\\.ts$`),
  },
  { name: `activity-texts-${locale}`, test: new RegExp(`/src/features/sessions/activity-${locale}\\.ts$`) },
  { name: `rehearsal-texts-${locale}`, test: new RegExp(`/src/features/second-factor/rehearsal-${locale}\\.ts$`) },
  { name: `policy-texts-${locale}`, test: new RegExp(`/src/features/organizations/policy-${locale}\\.ts$`) },
  { name: `terms-texts-${locale}`, test: new RegExp(`/src/features/terms/screens-${locale}\\.ts$`) },
  { name: `new-user-texts-${locale}`, test: new RegExp(`/src/features/sign-up-admin/screens-${locale}\\.ts$`) },
  { name: `texts-${locale}`, test: new RegExp(`/src/.*\\b${locale}\\.ts$`) },
]

/** What the daemon writes into the page, for `npm run dashboard`: a running `latchkey dev` serves the API. */
const likeTheDaemon: Plugin = {
  name: 'like-the-daemon',
  apply: 'serve',
  transformIndexHtml: (html) =>
    html
      .replaceAll('__BASE__', '/')
      .replaceAll('__API__', '/api/auth')
      .replaceAll('__TITLE__', 'Latchkey')
      .replaceAll(/__\w+__/g, ''),
}

/** What the build needs to know the size of each page: in which file a module is, and which modules it loads on demand. */
const listChunks: Plugin = {
  name: 'list-chunks',
  generateBundle(_, bundle) {
    const name = (id: string) => id.replace(root, '')
    const onDemand = (id: string) => this.getModuleInfo(id)?.dynamicallyImportedIds.map(name) ?? []
    const chunks = Object.values(bundle).flatMap((chunk) =>
      chunk.type === 'chunk'
        ? [
            {
              ...{ file: chunk.fileName, imports: chunk.imports },
              modules: Object.fromEntries(Object.keys(chunk.modules).map((id) => [name(id), onDemand(id)])),
            },
          ]
        : [],
    )
    this.emitFile({ type: 'asset', fileName: 'chunks.json', source: JSON.stringify(chunks) })
  },
}

const root = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root,
  // Relative, because `dashboard.path` is known only when the daemon serves the files.
  base: './',
  plugins: [react(), tailwindcss(), likeTheDaemon, providerMarks(), listChunks],
  // React has had this hook since version 18.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  server: { host: '127.0.0.1', port: 4001, proxy: { '/api': 'http://localhost:4000' } },
  build: {
    outDir: 'dist/public',
    // The content security policy allows no data URLs but images, and small files are cached as well as large ones.
    assetsInlineLimit: 0,
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // Each file is a request, and what is used together compresses best together. A module belongs to the first group that names it.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'frame', tags: ['$initial'] },
            ...languages.flatMap(texts),
            // For installations with texts of their own.
            { name: 'own-texts', test: /src\/(i18n\/own-texts|lib\/own-text)\.ts$/ },
            { name: 'schemas', test: /node_modules\/(zod|@hookform)\/|\/schemas\.ts$/ },
            {
              name: 'search',
              test: /@base-ui\/react\/(combobox|autocomplete)|frame\/palette-|organizations\/organization-choice|admin\/organization-search/,
            },
            // Menus, dialogs and toasts: no page needs them before the user acts.
            {
              name: 'overlays',
              test: /components\/overlays|@base-ui\/(?!react\/(direction-provider|internals\/direction-context))|@floating-ui/,
            },
            { name: 'developers', test: /src\/(stories|features\/(development|mailbox))\// },
            { name: 'passkeys', test: /@simplewebauthn|browser\/passkeys/ },
            // For visitors whose sign-in is not complete.
            {
              name: 'second-factor-setup',
              test: /src\/features\/second-factor\/setup-/,
            },
            { name: 'factor-due', test: /src\/frame\/factor-due-bar/ },
            { name: 'rehearsal', test: /second-factor\/rehearsal/ },
            {
              name: 'security',
              test: /src\/features\/second-factor\/(?!index|again|passkey-again|challenge-messages|qr-code)/,
            },
            {
              name: 'forms',
              test: /react-hook-form|components\/(form|user-fields|new-password-field|username-field|phone-code|one-time-code)\.tsx|src\/(frame|features\/[\w-]+)\/(sign-in-again|signed-in-again|social-sign-in)/,
            },
            { name: 'user-security', test: /src\/features\/admin\/user-security/ },
            {
              name: 'users',
              test: /src\/features\/admin\/(users|user-(table|parts|menu|dialogs|states)|organizations|organization-(data|field)|(?!user|organization|create-)[\w-]+)\.tsx?$/,
            },
            { name: 'user', test: /src\/features\/admin\// },
            // The pages of a user and of an organization show events too.
            { name: 'events', test: /src\/events\// },
            { name: 'audit-log', test: /src\/features\/audit-log\// },
            { name: 'new-users', test: /src\/features\/sign-up-admin\/(?!index|pending-count)/ },
            { name: 'sign-in-policy', test: /src\/features\/statistics\/policy/ },
            { name: 'statistics', test: /src\/features\/statistics\/|\/d3-|components\/chart|\/internmap\// },
            { name: 'explanations', test: /src\/features\/operations\/explain/ },
            { name: 'operations', test: /src\/features\/(bulk-actions\/|operations\/(?!pending-count)|social-sign-in\/)/ },
            { name: 'branding', test: /src\/features\/branding\// },
            // Where organizations may require second factors.
            { name: 'policy', test: /src\/features\/organizations\/policy-(settings|notices|messages)/ },
            {
              name: 'organization',
              test: /src\/features\/organizations\/(?!organization-|own-(notice|invitation-data)|role-names|messages)[\w-]+\.tsx?$/,
            },
            { name: 'qr-code', test: /\/uqr\/|second-factor\/qr-code/ },
            { name: 'activity', test: /src\/features\/sessions\/activity/ },
            { name: 'crop', test: /src\/features\/profile\/crop/ },
            { name: 'terms', test: /src\/features\/terms\/(accepted|status|screen-messages)/ },
            { name: 'settings', test: /src\/features\/(accounts|profile|sessions|api-keys|data-export|account-deletion)\// },
            {
              name: 'account',
              test: /dashboard\/src\/|@base-ui|lucide-react|@tanstack|src\/lib\/|use-sync-external-store|bowser|provider-marks/,
            },
          ],
        },
      },
    },
    license: { fileName: 'licenses.txt' },
    chunkSizeWarningLimit: 450,
  },
})
