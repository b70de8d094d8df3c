/** How the sign-up page asks for the acceptance of terms. */
export const messages = {
  signUpBox: ({ documents }: { readonly documents: string }) => `I accept: ${documents}`,
  signUpSentence: ({ documents }: { readonly documents: string }) => `By continuing, you accept: ${documents}`,
} as const
