export const messages = {
  acceptedTerms: 'Accepted terms',
  terms: 'Terms',
} as const
