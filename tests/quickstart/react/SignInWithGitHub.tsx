import { authClient } from './auth-client.ts'

const reasons: Readonly<Record<string, string>> = {
  account_not_linked: 'There is already an account with this email address. Sign in to it, then link GitHub in your account.',
  access_denied: 'You did not allow the sign-in.',
}

export function SignInWithGitHub() {
  const error = new URLSearchParams(window.location.search).get('error')
  const signIn = () => authClient.signIn.social({ provider: 'github', callbackURL: '/dashboard', errorCallbackURL: '/sign-in' })
  return (
    <>
      {error && <p role="alert">{reasons[error] ?? 'The sign-in did not succeed. Try again.'}</p>}
      <button type="button" onClick={signIn}>
        Continue with GitHub
      </button>
    </>
  )
}
