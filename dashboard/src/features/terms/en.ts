export const messages = {
  acceptedTerms: 'Accepted terms',
} as const
