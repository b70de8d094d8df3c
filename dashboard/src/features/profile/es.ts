import type { Translation } from '../../i18n/messages.ts'
import type { messages as english } from './en.ts'

export const messages: Translation<typeof english> = {
  profile: 'Perfil',
  profileLead: 'Los datos personales de tu cuenta.',
  account: 'Cuenta',
  accountText: 'Tu foto y el ID con el que el equipo de ayuda te encuentra.',
  details: 'Datos personales',
  detailsText: 'Tu nombre y lo que pide este sitio.',
  name: 'Nombre',
  created: 'Creación de la cuenta',
  userId: 'ID de usuario',
  copyUserId: 'Copiar el ID de usuario',
  changePicture: 'Cambiar foto',
  addPicture: 'Añadir foto',
  removePicture: 'Quitar foto',
  cropPicture: 'Elige una parte de la foto',
  cropHint: 'Arrastra la foto o usa los controles deslizantes.',
  cropZoom: 'Zoom',
  cropAcross: 'Izquierda y derecha',
  cropDown: 'Arriba y abajo',
  usePicture: 'Usar foto',
  pictureHint: 'Las apps pueden mostrarla a quienes pueden ver tu nombre.',
  pictureSaved: 'Tu foto se guardó.',
  pictureRemoved: 'Tu foto se quitó.',
  save: 'Guardar perfil',
  saved: 'Tu perfil se guardó.',
}
