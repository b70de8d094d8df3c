/** The page of what the current user has accepted. It loads with the page. */
export const messages = {
  acceptedLead: 'Which versions of our documents you have accepted, and when.',
  document: 'Document',
  version: 'Version',
  acceptedAt: 'Accepted',
  from: 'From',
  unknownDevice: 'Unknown device',
  nothingAccepted: 'You have accepted nothing yet',
  nothingAcceptedText: 'Documents that you accept at a sign-in appear here.',
} as const
