/** Texts of the bar about what is frozen. */
export const messages = {
  frozen: 'Incident',
  'sign-up': 'Sign-up is frozen.',
  'sign-in': 'Sign-in is frozen.',
  writes: 'Read-only mode: changes are not possible at the moment. You stay signed in.',
  showIncident: 'Show the incident',
}
