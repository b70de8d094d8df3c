import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  deleteAccount: 'Eliminar cuenta',
  deleteLead: 'La eliminación de tu cuenta no se puede deshacer.',
  whatIsDeleted: 'Qué se elimina',
  confirmation: 'Confirmación',
  confirmationText: 'Para que tu cuenta no se elimine por error.',
  deletedProfile: 'Tu perfil y todo lo que escribiste en él',
  deletedMethods: 'Tus métodos de inicio de sesión: no podrás volver a iniciar sesión',
  deletedSessions: 'Tus sesiones: se cierran en todos los dispositivos y apps',
  deletedOrganizations: 'Tus organizaciones que no tienen otros miembros',
  handOverFirst:
    '¿Eres el único miembro con el rol de propietario en una organización con otros miembros? Da antes ese rol a otro miembro.',
  organizationsLink: 'Tus organizaciones',
  exportFirst: '¿Quieres conservar una copia?',
  exportLink: 'Exportar tus datos',
  typeEmail: ({ email }) => `Escribe ${email} para confirmar`,
  password: 'Tu contraseña',
  sendLink: 'Enviar enlace de eliminación',
  sendLinkText: ({ email }) => `Enviamos un enlace a ${email}. Ábrelo y confirma para eliminar tu cuenta.`,
  linkSent: 'Revisa tu correo',
  linkSentText: ({ email }) => `Enviamos un enlace a ${email}. Tu cuenta no se elimina hasta que lo abras y confirmes.`,
  confirmDeletion: '¿Eliminar tu cuenta?',
  confirmDeletionLead: 'Esta cuenta y todos sus datos se eliminarán. Esta acción no se puede deshacer.',
  keepAccount: 'Conservar cuenta',
  linkFailed: 'Este enlace no puede eliminar tu cuenta',
  linkFailedLead: ({ email }) =>
    `Tienes la sesión iniciada como ${email}. El enlace ya se usó, venció, está incompleto o es de otra cuenta.`,
  requestNewLink: 'Solicitar un enlace nuevo',
  useAnotherAccount: 'Usar otra cuenta',
}
