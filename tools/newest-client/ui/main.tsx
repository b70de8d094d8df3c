/** An application that has nothing but the views of better-auth-ui, unmodified: `/ui/auth/sign-in`, `/ui/account/settings` and so on. */
import { apiKeyClient } from '@better-auth/api-key/client'
import { passkeyClient } from '@better-auth/passkey/client'
import { AccountView, AuthUIProvider, AuthView, OrganizationView } from '@daveyplate/better-auth-ui'
import {
  anonymousClient,
  emailOTPClient,
  magicLinkClient,
  multiSessionClient,
  organizationClient,
  twoFactorClient,
  usernameClient,
} from 'better-auth/client/plugins'
import { createAuthClient } from 'better-auth/react'
import { createRoot } from 'react-dom/client'
import { Toaster } from 'sonner'

const authClient = createAuthClient({
  fetchOptions: { retry: 0 },
  plugins: [
    organizationClient({ teams: { enabled: true } }),
    twoFactorClient(),
    passkeyClient(),
    apiKeyClient(),
    magicLinkClient(),
    emailOTPClient(),
    multiSessionClient(),
    usernameClient(),
    anonymousClient(),
  ],
})

const [, , area, path] = location.pathname.split('/')
const views = {
  auth: () => <AuthView path={path} redirectTo="/ui/account/settings" />,
  account: () => <AccountView path={path} showTeams />,
  organization: () => <OrganizationView path={path} />,
}
const View = views[area as keyof typeof views]

/** Each part of the library that a switch of the provider shows. */
createRoot(document.getElementById('root') as HTMLElement).render(
  <AuthUIProvider
    authClient={authClient as never}
    baseURL={location.origin}
    basePath="/ui/auth"
    redirectTo="/ui/account/settings"
    account={{ basePath: '/ui/account' }}
    organization={{ basePath: '/ui/organization', logo: true, apiKey: true }}
    teams={{ enabled: true }}
    credentials={{ forgotPassword: true, rememberMe: true, username: true }}
    signUp={{ fields: ['name'] }}
    social={{ providers: ['github'] }}
    twoFactor={['totp', 'otp']}
    emailVerification
    magicLink
    emailOTP
    passkey
    apiKey
    multiSession
    deleteUser
    avatar
  >
    <View />
    <Toaster />
  </AuthUIProvider>,
)
