import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  invite: 'Enlace de invitación',
  inviteTitle: ({ appName }) => `Tienes una invitación a ${appName}`,
  inviteLead: 'Crea tu cuenta para aceptar la invitación.',
  inviteToOrganization: ({ organization }) => `Tienes una invitación para unirte a ${organization}`,
  createAccount: 'Crear cuenta',
  haveAccount: '¿Ya tienes una cuenta?',
  signIn: 'Iniciar sesión',
  joinLead: ({ organization, email }) => `Tienes la sesión iniciada como ${email}. Pasarás a ser miembro de ${organization}.`,
  join: ({ organization }) => `Unirse a ${organization}`,
  alreadySignedIn: ({ email }) => `Tienes la sesión iniciada como ${email}. Este enlace es para usuarios sin cuenta.`,
  useAnotherAccount: 'Usar otra cuenta',
  unusable: 'Este enlace de invitación ya no funciona',
  unusableLead: 'Venció, se agotó o se revocó. Pide uno nuevo.',
  waitingList: 'Lista de espera',
  waitingListLead: ({ appName }) => `Deja tu dirección de correo. Te escribiremos cuando puedas crear tu cuenta de ${appName}.`,
  email: 'Dirección de correo',
  name: 'Nombre',
  joinWaitingList: 'Unirse a la lista de espera',
  onTheList: 'Gracias',
  onTheListLead: ({ email }) => `Escribiremos a ${email} cuando puedas crear tu cuenta.`,
  approved: '¿Ya recibiste la aprobación?',
}
