# Completion of the lastfix command in zsh. In ~/.zshrc: source <archive>/completion/lastfix.zsh
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
source "${${(%):-%x}:A:h}/lastfix.bash"
